/** The port of the statistics of paired differences (RP-3): pure, of scores alone. What each computes and where it is from, its own file says. */
export { BOOTSTRAP_DRAWS, type Bootstrap, type BootstrapOptions, clusterBootstrap } from './cluster-bootstrap.js';
export type { Difference } from './conversation-sums.js';
export { type AdjustedContrast, type Contrast, holm } from './holm.js';
export { type McNemar, mcnemar } from './mcnemar.js';
export { meanOf } from './mean.js';
export { newConversations } from './new-conversations.js';
export { type PairedDifference, type PairedDifferences, pairedDifferences, type Score } from './paired-differences.js';
export { clusterSignFlip, questionPermutation, type SignFlip } from './sign-flip.js';
export { type SmallestDetectable, smallestDetectableDifference } from './smallest-detectable-difference.js';
export { criticalT } from './student-t.js';
export type { MeanDifference } from './t-interval.js';
export { theseConversations } from './these-conversations.js';
