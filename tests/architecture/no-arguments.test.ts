import { expect, test, vi } from "vitest"
import { withoutArguments } from "../../scripts/setup/no-arguments.mjs"

test("a command without arguments runs", async () => {
  expect(await withoutArguments("Usage: npm start", async () => 7, [])).toBe(7)
})

test.each(["--help", "-h"])("%s prints the usage instead of running the command", async (argument) => {
  const log = vi.spyOn(console, "log").mockReturnValue()
  const work = vi.fn(async () => 7)
  expect(await withoutArguments("Usage: npm start", work, [argument])).toBe(0)
  expect(log.mock.calls).toEqual([["Usage: npm start"]])
  expect(work).not.toHaveBeenCalled()
  log.mockRestore()
})

test("an unknown argument is refused with the usage before the command runs", async () => {
  const work = vi.fn(async () => 7)
  await expect(withoutArguments("Usage: npm start", work, ["--port", "4000"])).rejects.toThrow(
    'Unknown argument "--port".\n\nUsage: npm start',
  )
  expect(work).not.toHaveBeenCalled()
})
