import { formatPrice } from '../lib/format.js';

export function Price({ cents }) {
  return <b>{formatPrice(cents)}</b>;
}
