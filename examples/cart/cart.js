export function total(items) {
  let sum = 0;
  for (const item of items) sum += priceOf(item);
  return sum;
}

function priceOf(item) {
  const amount = item.price * item.count;
  return item.coupon ? applyCoupon(amount, item.coupon) : amount;
}

function applyCoupon(amount, coupon) {
  return amount - amount * coupon.percent;
}
