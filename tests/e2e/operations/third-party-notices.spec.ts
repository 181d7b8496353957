import { readFileSync } from "node:fs"
import { expect } from "playwright/test"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { test } from "../shop-test"

const { dependencies } = JSON.parse(readFileSync(inProject("package.json"), "utf8"))

/** The head of a licence in the notices: name, version and identifier of a package. */
const heads = (notices: string) =>
  [...notices.matchAll(/^-{80}\n(\S+) \S+ \(.+\)$/gm)].map(([, name]) => name)

test("the build has a notice for every package that the server bundles or loads", () => {
  const notices = readFileSync(inProject("build", "third-party-notices.txt"), "utf8")
  expect(heads(notices)).toEqual(expect.arrayContaining(Object.keys(dependencies)))
})

test("the shop serves the licences of the software and the fonts that it sends to browsers", async ({
  sharedShop,
}) => {
  const shop = await sharedShop()
  const response = await fetch(`${shop.url}/checkout/third-party-notices.txt`)
  expect(response.status).toBe(200)
  const names = heads(await response.text())
  expect(names).toEqual(
    expect.arrayContaining(["@fontsource/lato", "i18next", "react", "react-dom", "react-router", "serwist"]),
  )
  for (const ofServer of ["kysely", "pg", "zod"]) expect(names).not.toContain(ofServer)
})
