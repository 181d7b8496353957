import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { expect, test } from "vitest"
import routes from "~/routes"
import { lazyConsole } from "../../scripts/build/lazy-console-plugin.mjs"

type Entry = { readonly file: string; readonly children?: readonly Entry[] | undefined }

/** Files of routes, from the project's root. A layout has routes inside it. */
function filesOf(entries: readonly Entry[], isLayout: boolean): readonly string[] {
  return entries.flatMap(({ file, children }) => [
    ...(isLayout === (children !== undefined) ? [resolve("app", file)] : []),
    ...filesOf(children ?? [], isLayout),
  ])
}

const { load } = lazyConsole()
/** The module that stands for one in the server's build; null: the module itself. */
const standIn = (file: string): Promise<string | null> =>
  (load as (id: string) => Promise<string | null>).call(undefined, file)

const isOfConsole = (file: string) => file.includes("/app/routes/admin/")
const pages = filesOf(routes, false).filter((file) => isOfConsole(file) && !file.endsWith("/not-found.ts"))

test("the server loads every page of the console with the first request for it", async () => {
  expect(pages.length).toBeGreaterThan(50)
  expect(pages.filter((file) => !existsSync(file))).toEqual([])
  const built = await Promise.all(pages.map(async (file) => ({ file, text: await standIn(file) })))
  expect(built.filter(({ file, text }) => !text?.includes(`import("${file}?page")`))).toEqual([])
})

test("the server loads the console's layouts, and every other page, at the start", async () => {
  const others = [...filesOf(routes, true), ...filesOf(routes, false).filter((file) => !pages.includes(file))]
  expect(others.filter(isOfConsole).map((file) => file.slice(resolve("app").length))).toEqual([
    "/routes/admin/console.ts",
    "/routes/admin/signed-in.ts",
    "/routes/admin/not-found.ts",
  ])
  expect(await Promise.all(others.map(standIn))).toEqual(others.map(() => null))
})
