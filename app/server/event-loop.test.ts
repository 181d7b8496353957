import { expect, test } from "vitest"
import { loopLag } from "./event-loop.server"

test("while the process is kept busy its lag grows, and is gone when it has time again", async () => {
  const lag = loopLag()
  const until = performance.now() + 200
  while (performance.now() < until);
  expect(lag()).toBeGreaterThan(150)
  await expect.poll(lag, { interval: 1 }).toBeLessThan(20)
})
