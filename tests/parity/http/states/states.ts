/** All states of this folder's tables. */
import type { State } from './model.ts';
import { contentStates } from './states-content.ts';
import { headStates } from './states-heads.ts';
import { pipelineStates } from './states-pipelines.ts';
import { replyStates } from './states-replies.ts';
import { upgradeStates } from './states-upgrades.ts';

export const states: readonly State[] = [...headStates, ...contentStates, ...replyStates, ...pipelineStates, ...upgradeStates];
