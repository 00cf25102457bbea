/**
 * Why a compaction waits although the request is above the threshold. `guard`: the last one ended close to the threshold, was refused or undone.
 * `floor`: most of the request must stay. `turn`: the turn under way holds signed reasoning. `server`: a server keeps earlier messages.
 */
export type HoldCause = 'guard' | 'floor' | 'turn' | 'server';
