// Paths of the REST API that links are made from, as OpenAPI writes them. The endpoints are declared with them.

export const ASSET_PATH = '/v1/{group}/assets/{id}';
export const EXPORT_PATH = '/v1/{group}/export/{dataset}.parquet';
export const EXPORT_FILE_PATH = '/v1/{group}/export/{dataset}/{version}.parquet';

export function datasetPath(name: string): string {
  return `/v1/{group}/${name}`;
}

/** The path with these values in the place of their names. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
