/** What one search may bring into the view. The report says it, too. */
export const SEARCH_TOKENS = 1_500;
