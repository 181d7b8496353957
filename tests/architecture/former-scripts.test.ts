import { readFileSync } from "node:fs"
import { afterEach, expect, test, vi } from "vitest"
import { formerScripts, warnOfFormerScript } from "../../scripts/setup/former-scripts.mjs"

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"))

afterEach(() => vi.restoreAllMocks())

test.each(Object.entries(formerScripts))("npm run %s runs the same command as npm run %s", (former, name) => {
  expect(scripts[former]).toBe(scripts[name])
})

test.each(Object.entries(formerScripts))(
  "npm run %s prints its new name, npm run %s, on standard error",
  (former, name) => {
    const error = vi.spyOn(console, "error").mockReturnValue()
    warnOfFormerScript(former)
    expect(error.mock.calls).toEqual([
      [expect.stringContaining(`"npm run ${former}" was renamed to "npm run ${name}"`)],
    ])
    warnOfFormerScript(name)
    warnOfFormerScript(undefined)
    expect(error).toHaveBeenCalledTimes(1)
  },
)
