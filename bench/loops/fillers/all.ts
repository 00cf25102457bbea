import { assistantProse } from './assistant-prose.ts';
import { callArguments } from './call-arguments.ts';
import { chat } from './chat.ts';
import { claudeThinking600 } from './claude-thinking-600.ts';
import { encryptedReasoning } from './encrypted-reasoning.ts';
import { files } from './files.ts';
import type { Filler } from './filler.ts';
import { hostedTools } from './hosted-tools.ts';
import { imagesInResults } from './images-in-results.ts';
import { imagesInUser } from './images-in-user.ts';
import { largeSystem } from './large-system.ts';
import { largeTools } from './large-tools.ts';
import { oneRequest, shortRequest } from './long-turns.ts';
import { parallelCalls } from './parallel-calls.ts';
import { pinned } from './pinned.ts';
import { impossible, noUsage, overflowNamed, overflowUnnamed, reservedOutput } from './providers.ts';
import { changingReminders, sameReminders } from './reminders.ts';
import { interleavedThinking, openThinking, thinkingAtStart } from './signed-thinking.ts';
import { smallParallel } from './small-parallel.ts';
import { thoughtSignatures } from './thought-signatures.ts';
import { toolOutput } from './tool-output.ts';
import { userPastes } from './user-pastes.ts';

export const fillers: readonly Filler[] = [
  toolOutput,
  callArguments,
  parallelCalls,
  smallParallel,
  assistantProse,
  userPastes,
  chat,
  imagesInUser,
  imagesInResults,
  files,
  largeTools,
  largeSystem,
  sameReminders,
  changingReminders,
  hostedTools,
  encryptedReasoning,
  interleavedThinking,
  thinkingAtStart,
  openThinking,
  thoughtSignatures,
  oneRequest,
  shortRequest,
  pinned,
  overflowUnnamed,
  overflowNamed,
  noUsage,
  reservedOutput,
  impossible,
  claudeThinking600,
];
