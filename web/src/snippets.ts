// A request of the API as text to copy: an address, a command, a program.

export interface Snippet {
  readonly name: string;
  readonly text: string;
}

/** How a snippet gets the API key: a public key is written out, another one comes from the environment; null if none is needed. */
export type SnippetKey = { readonly literal: string } | 'environment' | null;

const VARIABLE = 'TIDEMARK_KEY';

export function snippets(url: string, key: SnippetKey): readonly Snippet[] {
  return [
    { name: 'URL', text: url },
    { name: 'curl', text: curl(url, key) },
    { name: 'JavaScript', text: javascript(url, key) },
    { name: 'Python', text: python(url, key) },
  ];
}

function curl(url: string, key: SnippetKey): string {
  if (key === null) return `curl ${shellQuoted(url)}`;
  const header = key === 'environment' ? `"X-API-Key: $${VARIABLE}"` : shellQuoted(`X-API-Key: ${key.literal}`);
  return `curl -H ${header} \\\n  ${shellQuoted(url)}`;
}

function javascript(url: string, key: SnippetKey): string {
  const value = key === 'environment' ? `process.env.${VARIABLE}` : JSON.stringify(key?.literal);
  const options = key === null ? '' : `, {\n  headers: { 'X-API-Key': ${value} },\n}`;
  return `const response = await fetch(${JSON.stringify(url)}${options});
if (!response.ok) throw new Error(await response.text());
const { result } = await response.json();
console.table(result);`;
}

function python(url: string, key: SnippetKey): string {
  const value = key === 'environment' ? `os.environ["${VARIABLE}"]` : JSON.stringify(key?.literal);
  const headers = key === null ? '' : `, headers={"X-API-Key": ${value}}`;
  return `import json${key === 'environment' ? ', os' : ''}, urllib.request

request = urllib.request.Request(${JSON.stringify(url)}${headers})
with urllib.request.urlopen(request) as answer:
    rows = json.load(answer)["result"]
for row in rows:
    print(row)`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
