import { test as base } from "playwright/test"
import { startShop, type TestServer } from "./start-shop"

type StartShared = (env?: Readonly<Record<string, string>>) => Promise<TestServer>

/**
 * Playwright's `test` with shops that the tests of a worker share. `sharedShop` starts one server process for each set
 * of environment variables, on first use. Every test uses its own customers (`uniqueEmail`) and sessions. A test that
 * stops its shop, changes its catalogue or compares whole tables uses `startShop`.
 */
export const test = base.extend<object, { sharedShop: StartShared }>({
  sharedShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
    async ({}, use, { project }) => {
      const started = new Map<string, Promise<TestServer>>()
      await use((env = {}) => {
        const key = JSON.stringify(Object.entries(env).toSorted())
        const shop = started.get(key) ?? startShop({ env }, project.name)
        started.set(key, shop)
        return shop
      })
      const shops = await Promise.all(started.values())
      await Promise.all(shops.map((shop) => shop.stop()))
    },
    { scope: "worker", timeout: 240_000 },
  ],
})
