// Something for each dataset that a snapshot holds, by the name of the dataset.

import { type Dataset, SNAPSHOT_DATASETS, type SnapshotDatasetName } from '../domain/datasets.ts';

export type ByDataset<T> = Readonly<Record<SnapshotDatasetName, T>>;

export function byDataset<T>(make: (name: SnapshotDatasetName, dataset: Dataset) => T): ByDataset<T> {
  const entries = SNAPSHOT_DATASETS.map(dataset => [dataset.name, make(dataset.name, dataset)]);
  return Object.fromEntries(entries) as ByDataset<T>; // fromEntries forgets the names
}
