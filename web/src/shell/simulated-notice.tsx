// States that the prices of the demo are simulated.

import { simulated } from '../api.ts';
import { pageConfig } from '../page-config.ts';

export function SimulatedNotice() {
  if (!simulated.value && pageConfig.demoKey === null) return null;
  return (
    <aside class="simulated" aria-label="About this data">
      <strong>Demo.</strong> These assets are invented and all prices are simulated. Nothing here is market data.
    </aside>
  );
}
