import { vi } from "vitest"

/**
 * Hashing passwords at the cost of production took a third of the time of the database tests. A stored hash names its own
 * cost, so hashes of production are still verified; `password-hash.test.ts` tests the cost itself.
 */
vi.mock("~/billing/embedded/customers/password-cost.server", () => ({
  passwordCost: { log2N: 4, r: 1, p: 1 },
}))
