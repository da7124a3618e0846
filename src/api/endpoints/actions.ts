// `actions`: redenominations and migrations.

import { ACTIONS } from '../../domain/reviews.ts';
import { reviewEndpoint } from '../listing/review-listing.ts';

export const actions = reviewEndpoint(ACTIONS, ({ reviews }) => reviews.actions(), {});
