import { sampleOrder, OrderService } from './order.ts';
import * as pricing from './pricing.ts';

export function report(service: OrderService = sampleOrder()): string {
  return `total: ${service.total()} of ${pricing.total([])}`;
}
