import { spawnSync } from "node:child_process"
import { describe, expect, test, vi } from "vitest"
import { withoutArguments } from "../../scripts/setup/no-arguments.mjs"
import { inProject } from "../../scripts/setup/project-root.mjs"

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

describe.each(["start.mjs", "dev.mjs", "whmcs-simulator.mjs"])("scripts/commands/%s", (name) => {
  test.each([
    ["--help", 0, "stdout"],
    ["--port=4000", 1, "stderr"],
  ] as const)(
    "given %s ends with exit code %i and its usage, and starts nothing",
    (argument, code, stream) => {
      const program = inProject("scripts", "commands", name)
      // Free ports, in case it did start.
      const env = { PATH: process.env.PATH, PORT: "0", SANDBOX_PORT: "0", NO_COLOR: "1" }
      const ended = spawnSync(process.execPath, [program, argument], {
        env,
        timeout: 20_000,
        encoding: "utf8",
      })
      expect(ended.status).toBe(code)
      expect(ended[stream]).toMatch(/Usage: npm/)
      expect(ended.stdout + ended.stderr).not.toMatch(/Installing|Building|Checkout {3}|simulator at/)
    },
  )
})
