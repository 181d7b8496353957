import { spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect } from "playwright/test"
import { findProgram } from "../../../scripts/setup/find-program.mjs"
import { freePort } from "../server/free-port"
import { startVirtualDisplay } from "./virtual-display"

/** Key of an element's id in the messages of WebDriver. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
const ANSWERS_WITHIN = 15_000
const LIBRARIES = "/usr/lib"

type Element = Readonly<Record<typeof ELEMENT, string>>
type Call = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>

/** The distribution's WebKit, the engine of Safari, by WebDriver: Playwright drives builds of its own only. */
export type WebKit = {
  visit(url: string): Promise<void>
  url(): Promise<string>
  /** The text that the page shows; empty while it is navigating. */
  text(): Promise<string>
  /** Waits for hydration. */
  scriptRuns(): Promise<void>
  /** Waits until the first visible match is there. */
  sees(selector: string): Promise<void>
  /** Presses the middle of the first visible match with the mouse, once it is there. */
  press(selector: string): Promise<void>
  fill(selector: string, text: string): Promise<void>
  /** Presses Back, and waits until the page is left. */
  back(): Promise<void>
  close(): Promise<void>
}

/** Opens WebKit on a display of its own. Throws if it does not start. */
export async function openWebKit(): Promise<WebKit> {
  const display = await startVirtualDisplay()
  const port = await freePort()
  const driver = spawn(findProgram("WebKitWebDriver") ?? "WebKitWebDriver", [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name, LIBGL_ALWAYS_SOFTWARE: "1" },
    stdio: "ignore",
    // The browser is in the driver's process group, and ends with it.
    detached: true,
  })
  const stop = () => {
    if (driver.pid !== undefined && driver.exitCode === null) process.kill(-driver.pid, "SIGTERM")
    display.stop()
  }
  process.once("exit", stop)
  const url = `http://127.0.0.1:${port}`
  const ready = () => call(url, "GET", "/status")
  await expect(ready).toPass({ timeout: ANSWERS_WITHIN })
  const { sessionId } = (await call(url, "POST", "/session", { capabilities: capabilities() })) as {
    sessionId: string
  }
  const session = (method: Parameters<Call>[0], path: string, body?: object) =>
    call(`${url}/session/${sessionId}`, method, path, body)
  await session("POST", "/window/rect", { x: 0, y: 0, width: 1280, height: 1000 })
  return {
    ...browserOf(session),
    async close() {
      process.off("exit", stop)
      await session("DELETE", "").finally(stop)
    },
  }
}

const capabilities = () => ({
  alwaysMatch: {
    // The driver does not notice the end of every load.
    pageLoadStrategy: "none",
    "webkitgtk:browserOptions": {
      binary: miniBrowser(),
      // The driver loses a page that its opener policy moves to another process.
      args: ["--automation", "--features=-CrossOriginOpenerPolicy,-ProcessSwapOnCrossSiteNavigation"],
    },
  },
})

/** WebKit's browser for tests, which its library brings: /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser. */
function miniBrowser(): string {
  const folders = (parent: string) =>
    readdirSync(parent, { withFileTypes: true }).flatMap((it) =>
      it.isDirectory() ? [join(parent, it.name)] : [],
    )
  const ofMachine = folders(LIBRARIES).filter((it) => it.endsWith("-linux-gnu"))
  const places = ofMachine.flatMap((it) => folders(it).map((library) => join(library, "MiniBrowser")))
  return places.find((it) => it.includes("webkit") && existsSync(it)) ?? "MiniBrowser"
}

function browserOf(session: Call): Omit<WebKit, "close"> {
  const evaluate = <T>(script: string, ...args: unknown[]) =>
    session("POST", "/execute/sync", { script, args }) as Promise<T>
  const visible = (selector: string) => evaluate<Element | null>(VISIBLE, selector).catch((): null => null)
  const element = async (selector: string): Promise<Element> => {
    // As it was found: a page may be loaded again meanwhile.
    const found: Element[] = []
    const look = async () => {
      const seen = await visible(selector)
      if (seen) found.push(seen)
      return found.length
    }
    await expect.poll(look, { message: selector, timeout: 20_000 }).toBe(1)
    const [first] = found
    if (!first) throw new Error(`${selector} was not found`)
    return first
  }
  return {
    visit: async (url) => void (await session("POST", "/url", { url })),
    url: () => session("GET", "/url") as Promise<string>,
    text: () => evaluate<string>("return document.body.innerText").catch(() => ""),
    scriptRuns: () =>
      expect.poll(() => evaluate(HYDRATED).catch(() => false), { timeout: 20_000 }).toBe(true),
    sees: async (selector) => void (await element(selector)),
    async press(selector) {
      const origin = await element(selector)
      const pointer = { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" } }
      const move = { type: "pointerMove", duration: 0, origin, x: 0, y: 0 }
      const click = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }))
      await session("POST", "/actions", { actions: [{ ...pointer, actions: [move, ...click] }] })
    },
    async back() {
      await evaluate("window.isLeft = true")
      await session("POST", "/back", {})
      const isLeft = () => evaluate<boolean>("return window.isLeft === true").catch(() => true)
      await expect.poll(isLeft, { timeout: 20_000 }).toBe(false)
    },
    async fill(selector, text) {
      const { [ELEMENT]: id } = await element(selector)
      await session("POST", `/element/${id}/clear`, {})
      await session("POST", `/element/${id}/value`, { text })
    },
  }
}

/** Runs in the page: the first visible match, scrolled to the middle of the window. */
const VISIBLE = `
const found = [...document.querySelectorAll(arguments[0])].find((it) => it.checkVisibility())
found?.scrollIntoView({ block: "center", behavior: "instant" })
return found ?? null`

const HYDRATED = `return Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__reactProps"))`

async function call(url: string, method: Parameters<Call>[0], path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(ANSWERS_WITHIN),
    ...(body && { body: JSON.stringify(body) }),
  })
  const { value } = (await answer.json()) as { value: unknown }
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
  return value
}
