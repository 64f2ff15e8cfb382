/** What the parent tells the child about the suite it runs. */
import type { ConversationPlan } from '../../harness/answer.ts';

export interface SuitePlan extends ConversationPlan {
  /** The flavour of all cases instead of their own. */
  readonly flavour?: 'express' | 'express4';
  /** Files of packages, for `require.resolve`. */
  readonly resolved: Readonly<Record<string, string>>;
}
