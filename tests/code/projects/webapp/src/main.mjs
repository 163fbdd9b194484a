import format from '../lib/format.js';

console.log(format.formatPrice(5));
