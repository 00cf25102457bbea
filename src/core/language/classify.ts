import type { Voice } from './voice.ts';

/** The way a passage is meant, judged by marker words of several languages. No marker means `plain`. */
export const KINDS = [
  'constraint',
  'decision',
  'cause',
  'error',
  'outcome',
  'todo',
  'question',
  'filler',
  'plain',
] as const;
export type PassageKind = (typeof KINDS)[number];

const CONSTRAINT =
  /^(?:[-*\s]|\d+\.)*No\b(?! (?:such|errors?|issues?|changes? (?:were|was)))|\b(?:must(?:n't| not)?|never|always|don'?t|do not|should(?:n't| not)?|only|no (?:more|need|new|other)|not allowed|instead of|rather than|make sure|ensure|avoid|without|keep|required?|requires|prefer|want|needs? to|has to|have to|forbidden|at (?:most|least)|limit(?:ed)? to|unless|before (?:you|any)|except)\b|必须|不要|不得|只能|禁止|务必|\b(?:nicht|niemals|immer|muss|nur|darf|soll|nie)\b|\b(?:jamais|toujours|doit|ne pas|uniquement)\b|\b(?:nunca|siempre|debe)\b|(?:нельзя|всегда|никогда|только|должен)/iu;
/** Limits when the user says them; from others these words are mere description. */
const LIMIT =
  /^(?:please |pls |and |but |so )*(?:use|keep|leave|stick|call|name|put|write|stay)\b|\b(?:not|nothing|until|freeze|can'?t|cannot|won'?t|no (?:\w+ ){1,2}(?:today|yet|then|over|under|before|after|longer|later|without))\b/i;
const DECISION =
  /\b(?:decid(?:e|ed|ing)|decision|chose|chosen|opted|going with|we(?:'ll| will) (?:use|go|keep)|instead|rather than|agreed|approved|settled|the approach|trade-?off|rejected|reverted?|recommend(?:ed|ation)?|option \w+|prefer(?:red)?|simpl(?:er|est)|better to|let'?s (?:do|use|go|keep))\b|entschieden|décidé|decidid|решил|决定/iu;
const CAUSE =
  /\b(?:because|since|root cause|caused by|due to|the (?:problem|issue|reason|bug|cause|culprit|fix) (?:is|was)|turns out|that'?s why|which means|the real|actually|so that|found (?:it|the)|doesn'?t|does not|isn'?t|wasn'?t|didn'?t|won'?t|can'?t|cannot|fails? (?:because|when|to)|would (?:break|fail|lose|be lost))\b|原因|因为|weil|parce que|porque|потому/iu;
const ERROR =
  /\b(?:errors?|failed|failure|exception|fatal|panic|traceback|cannot|can't|denied|refused|not found|no such|undefined|unbound|invalid|unexpected|mismatch|timed? ?out|aborted|conflict|rejected|segfault|unable|missing|ignored|hint:|warning:|✗|✘|FAIL|ERR!)\b|✗|✘|❌/i;
const OUTCOME =
  /(?:\b\d+ (?:tests? |specs? |suites? )?(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|skipped|errors?|warnings?|insertions?|deletions?|files? changed)\b|\bok\s+\S+\s+[\d.]+m?s|^\[[\w./-]+ [0-9a-f]{7,}\]|^[0-9a-f]{7,40} \S|^(?:FAIL|Success|Done|Created|Updated|Deleted|Merged|Deployed|Published)\b|\bexit(?:ed)?(?: with)?(?: code)?:? \d+|✅|\b(?:PR|pull|issues?)\/?#?\d+\b|https?:\/\/\S+\/(?:pull|issues|commit)\/)/m;
const TODO =
  /\b(?:todo|next steps?|remaining|follow-?up|still (?:need|have|to|open)|left to|not yet|pending|later|open questions?|in progress|blocked|deferred?|future)\b|待办|下一步/iu;
const FILLER =
  /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|now|alright|sure|so)[,.!:]?\s+)*(?:let me|now let me|i'll|i will|i need to|i should|let's|now i|i'm going to|first,? (?:let me|i)|checking|looking at|reading)\b/i;

/** Sentences, not code: several plain words in a row. */
export const PROSE: RegExp = /(?:^|\s)[A-Za-z][a-z']* [a-z][a-z']* [a-z][a-z']*/;

/** How users take a rule back. */
const LIFT =
  /\b(?:forget (?:about|what i said|the (?:rule|part|bit))|never ?mind|(?:ignore|drop|scratch|skip|disregard) (?:the|my|that) (?:\w+ )?(?:rule|restriction|constraint|requirement|limit(?:ation)?|freeze|ban)|you (?:may|can) now|you(?:'re| are) now (?:allowed|free)|(?:is|are|it'?s) (?:now )?(?:fine|ok(?:ay)?|allowed) now|(?:is|are) now (?:fine|ok(?:ay)?|allowed)|no longer (?:need(?:ed|s)?|required|necessary|appl(?:y|ies)|matters?|holds?|forbidden|off.limits)|(?:do not|don'?t) (?:need|have) to .{1,80}\bany ?more|(?:rule|restriction|constraint|requirement|freeze|ban)s? (?:is|are|was|has been|have been) (?:lifted|over|gone|dropped))\b/i;

/** True when the words say what must, may or must not be done. */
export function isOrder(text: string): boolean {
  return CONSTRAINT.test(text.replaceAll('**', ''));
}

/** True when a user's words take back what was asked before. */
export function isLift(text: string): boolean {
  return LIFT.test(text);
}

/** The words without the retraction itself. The rest says what it is about. */
export function withoutLift(text: string): string {
  return text.replace(LIFT, ' ');
}

/** True when the words choose one of several options. */
export function isDecision(text: string): boolean {
  return DECISION.test(text);
}

/** The kind of a passage. The voice matters: an order is a constraint from the user and filler from the assistant. */
export function classify(text: string, voice: Voice): PassageKind {
  switch (voice) {
    case 'user':
      if (LIMIT.test(text)) return 'constraint';
      return classify(text, 'rules');
    case 'rules':
    case 'host':
      if (CONSTRAINT.test(text.replaceAll('**', ''))) return 'constraint';
      return /\?\s*$/.test(text) ? 'question' : 'plain';
    case 'assistant':
    case 'report':
      if (FILLER.test(text) && !CAUSE.test(text)) return 'filler';
      if (OUTCOME.test(text)) return 'outcome';
      if (CAUSE.test(text)) return 'cause';
      if (DECISION.test(text)) return 'decision';
      if (TODO.test(text)) return 'todo';
      if (ERROR.test(text)) return 'error';
      return /\?\s*$/.test(text) ? 'question' : 'plain';
    case 'argument':
    case 'content':
      if (!PROSE.test(text)) return 'plain';
      return CONSTRAINT.test(text.replaceAll('**', '')) ? 'constraint' : CAUSE.test(text) ? 'cause' : 'plain';
    case 'removed':
    case 'summary':
      return 'plain';
    case 'output':
      if (OUTCOME.test(text)) return 'outcome';
      return ERROR.test(text) ? 'error' : 'plain';
  }
}
