// All small tables of a store, and what a restored backup writes into them.

import type {
  AlertStore,
  CorrectionStore,
  FactStore,
  FillTarget,
  KeyStore,
  LiveStore,
  LoadLog,
  ProfileStore,
  ReviewStore,
  SourceStore,
  StoreView,
  UsageStore,
} from '../port/store.ts';
import { addAlerts, alertStore } from './alerts.ts';
import { keyStore } from './api-keys.ts';
import { copiedRows, putCopiedRows } from './copied-rows.ts';
import { factStore, putFactRecords, removeFacts } from './facts.ts';
import { liveStore } from './live.ts';
import { loadLog } from './loads.ts';
import { profileStore } from './profiles.ts';
import { reviewStore } from './reviews.ts';
import { sourceStore } from './sources.ts';
import type { Records } from './steps.ts';
import { API_KEYS, DELIVERIES, LOADS } from './tables.ts';
import { usageStore } from './usage.ts';

export type RecordStore = LoadLog &
  KeyStore &
  UsageStore &
  AlertStore &
  LiveStore &
  ProfileStore &
  SourceStore &
  ReviewStore &
  FactStore &
  Pick<CorrectionStore, 'removeProfile' | 'removeFacts'> &
  Pick<StoreView, 'copiedRows'>;

export function recordStore(db: Records): RecordStore {
  return {
    ...loadLog(db),
    ...keyStore(db),
    ...usageStore(db),
    ...alertStore(db),
    ...liveStore(db),
    ...profileStore(db),
    ...sourceStore(db),
    ...reviewStore(db),
    ...factStore(db),
    removeFacts: asset => db.write(() => removeFacts(asset)),
    copiedRows: () => copiedRows(db),
  };
}

type RecordFilling = 'putLoads' | 'putKeys' | 'putAlerts' | 'putDeliveries' | 'putCopiedRows' | 'putFactRecords';

/** As they were in another store. */
export function fillRecords(db: Records): Pick<FillTarget, RecordFilling> {
  return {
    putFactRecords: (asset, records) => db.write(() => putFactRecords(asset, records)),
    putLoads: loads => db.write(() => LOADS.put(loads)),
    putKeys: async keys => void (await db.write(() => API_KEYS.add(keys))),
    putAlerts: alerts => db.write(() => addAlerts(alerts)),
    putCopiedRows: rows => putCopiedRows(db, rows),
    putDeliveries: async deliveries => void (await db.write(() => DELIVERIES.add(deliveries))),
  };
}
