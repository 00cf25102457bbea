import type { CatalogModel } from '../../../models/catalog/catalog.ts';

export function priceText({ prices }: CatalogModel): string {
  return prices === null ? 'price unknown' : `$${prices.input} in and $${prices.output} out per million tokens`;
}
