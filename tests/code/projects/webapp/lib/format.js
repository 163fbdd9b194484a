/**
 * Shows an amount.
 * @param {number} cents
 * @returns {string}
 */
function formatPrice(cents) {
  return (cents / 100).toFixed(2);
}

module.exports = { formatPrice };
