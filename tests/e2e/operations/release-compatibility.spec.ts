import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Page } from "playwright/test"
import { projectNode } from "../../../scripts/setup/node-binary.mjs"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { BROWSER_AGENT, payOn } from "../../support/browser/page-actions"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

/** A service worker would answer from its cache instead of the shop. */
test.use({ userAgent: BROWSER_AGENT, serviceWorkers: "block" })

const sources = ["app", "public", "scripts", "package.json", "package-lock.json", "tsconfig.json"]
const settings = ["vite.config.ts", "react-router.config.ts"]

/** A copy of the project with its build. `release` changes a screen and builds again. */
function ownProject(): { folder: string; release: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-release-"))
  for (const name of [...sources, ...settings, "build"]) {
    cpSync(inProject(name), join(folder, name), { recursive: true })
  }
  symlinkSync(inProject("node_modules"), join(folder, "node_modules"))
  const screen = join(folder, "app", "ui", "review", "review-screen.tsx")
  const release = () => {
    writeFileSync(screen, readFileSync(screen, "utf8").replace('className="', 'className="released '))
    const { status, stderr } = spawnSync(projectNode(), [join(folder, "scripts", "commands", "build.mjs")], {
      encoding: "utf8",
    })
    if (status !== 0) throw new Error(`Cannot build the release:\n${stderr}`)
  }
  return { folder, release }
}

/** Paths of full page loads, in order. */
function documentsOf(page: Page): string[] {
  const paths: string[] = []
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.method() === "GET")
      paths.push(new URL(request.url()).pathname)
  })
  return paths
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.locator('input[name="plan"][value="3"]').check({ force: true })
  await page.locator("[name=email]").fill(email)
}

test("a page opened before a release continues with its own files afterwards", deep, async ({ page }) => {
  // It builds the release.
  test.slow()
  const { folder, release } = ownProject()
  const shop = await startShop({ program: join(folder, "build", "server", "index.js") })
  try {
    await page.goto(`${shop.url}/checkout/`, { waitUntil: "networkidle" })
    await fillIn(page, "open-tab@example.test")
    const screens: [file: string, status: number][] = []
    page.on("response", (response) => {
      const [file] = /creating-order-[\w-]+\.js$/.exec(response.url()) ?? []
      if (file) screens.push([file, response.status()])
    })
    release()
    await shop.restart()
    const documents = documentsOf(page)
    await payOn(page, shop)
    expect(documents.filter((path) => path.startsWith("/checkout"))).toEqual([])
    const [[old, status] = ["none", 0]] = screens
    expect(status).toBe(200)

    await page.goto(`${shop.url}/checkout/`)
    const now = await page.content()
    expect(now).not.toContain(old)
    expect(now).toMatch(/manifest-[0-9a-f]+\.js/)
  } finally {
    await shop.stop()
    rmSync(folder, { recursive: true })
  }
})

test(
  "a screen whose chunk is missing is loaded as a full page at most once a minute, and shows an error after that",
  deep,
  async ({ page }) => {
    const shop = await startShop()
    await page.route(/\/assets\/creating-order-/, (route) => route.fulfill({ status: 404 }))
    // Stops at the review step, which does not submit its form without its script.
    await page.goto(`${shop.url}/checkout/`, { waitUntil: "networkidle" })
    await fillIn(page, "gone@example.test")
    const documents = documentsOf(page)
    await page.locator('button.main[value="pay"]:visible').first().click()
    await expect(page.locator('form:has(input[name="draft"]) button')).toBeVisible()
    expect(documents).toEqual(["/checkout/creatingOrder"])

    await page.goto(`${shop.url}/checkout/`, { waitUntil: "networkidle" })
    documents.length = 0
    await page.locator('button.main[value="pay"]:visible').first().click()
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Something went wrong on our side")
    expect(documents).toEqual([])
    await page.getByRole("link", { name: "Try again" }).click()
    await expect(page.locator('form:has(input[name="draft"]) button')).toBeVisible()
    await shop.stop()
  },
)

for (const chunk of ["entry.client", "checkout", "en-en"])
  test(`a page whose own ${chunk} cannot be loaded reloads at most once a minute`, async ({ page }) => {
    const shop = await startShop()
    await page.route(new RegExp(`/assets/${chunk}-`), (route) => route.abort())
    const documents = documentsOf(page)
    await page.goto(`${shop.url}/checkout/`)
    await expect.poll(() => documents).toEqual(["/checkout/", "/checkout/"])
    await page.unrouteAll()
    await page.goto(`${shop.url}/checkout/`, { waitUntil: "networkidle" })
    // Only with script the browser checks a field that is left.
    await page.locator("[name=email]").fill("nobody")
    await page.locator("[name=email]").blur()
    await expect(page.locator("#order-email-error")).toBeVisible()

    await page.route(new RegExp(`/assets/${chunk}-`), (route) => route.abort())
    const failed = page.waitForEvent("requestfailed")
    await page.goto(`${shop.url}/checkout/`, { waitUntil: "networkidle" })
    await failed
    expect(documents).toEqual(["/checkout/", "/checkout/", "/checkout/", "/checkout/"])
    await shop.stop()
  })

test("a page that somebody has typed on is not loaded again when its script fails", async ({ page }) => {
  const shop = await startShop()
  const typed = Promise.withResolvers<void>()
  await page.route(/\/assets\/entry\.client-/, async (route) => {
    await typed.promise
    await route.abort()
  })
  const documents = documentsOf(page)
  await page.goto(`${shop.url}/checkout/`, { waitUntil: "domcontentloaded" })
  await page.locator("[name=email]").pressSequentially("ana@example.test")
  await page.getByRole("heading", { level: 1 }).click()
  const failed = page.waitForEvent("requestfailed")
  typed.resolve()
  await failed
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await page.evaluate(() => sessionStorage.getItem("reloaded"))).toBeNull()
  await expect(page.locator("[name=email]")).toHaveValue("ana@example.test")
  expect(documents).toEqual(["/checkout/"])
  await shop.stop()
})
