// `findings`: what is in doubt about the bars.

import { FINDINGS } from '../../domain/reviews.ts';
import { reviewEndpoint } from '../listing/review-listing.ts';

export const findings = reviewEndpoint(FINDINGS, ({ reviews }) => reviews.findings(), {
  open: ['The newest that are open', `?where=${encodeURIComponent("state = 'open'")}&limit=2`],
});
