import { expect, test, vi } from "vitest"
import { areSimilar, fastestTimes } from "./similar-times"

test("equal work is similar although most rounds are disturbed", async () => {
  const disturbed = (undisturbedRound: number) => {
    let round = 0
    return vi.fn(async () => (++round === undisturbedRound ? 5 : 200))
  }
  const [first, second] = [disturbed(1), disturbed(30)]
  const times = await fastestTimes([first, second])
  expect([times, areSimilar(times)]).toEqual([[5, 5], true])
  expect(first).toHaveBeenCalledTimes(30)
})

test("work that takes twice as long is never similar, however many rounds there are", async () => {
  const slow = vi.fn(async () => 10)
  const times = await fastestTimes([async () => 5, slow])
  expect([times, areSimilar(times)]).toEqual([[5, 10], false])
  expect(slow).toHaveBeenCalledTimes(60)
})

test("a quiet machine needs five rounds", async () => {
  const measure = vi.fn(async () => 5)
  await fastestTimes([measure, async () => 6])
  expect(measure).toHaveBeenCalledTimes(5)
})
