import { expect, test } from "vitest"
import { saturation } from "./saturation"

test.each([45, 100, 333, 1_000])(
  "the saturation of a server that answers %i a second is found",
  async (limit) => {
    const found = await saturation(async (perSecond) => perSecond <= limit)
    expect(found).toBeLessThanOrEqual(limit)
    expect(found).toBeGreaterThan(limit * 0.85)
  },
)

test("a server that answers nothing has no saturation", async () => {
  await expect(saturation(async () => false)).rejects.toThrow(/does not answer/)
})
