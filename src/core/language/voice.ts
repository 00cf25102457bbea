/** Who speaks in a passage, from the most to the least telling. */
export type Voice =
  | 'user'
  | 'summary'
  | 'rules'
  | 'answer'
  | 'assistant'
  | 'host'
  | 'argument'
  | 'removed'
  | 'output'
  | 'content';
