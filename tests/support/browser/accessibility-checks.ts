import { AxeBuilder } from "@axe-core/playwright"
import { expect, type Page } from "playwright/test"

const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 360, height: 740 }
/** The narrowest viewport of WCAG (1.4.10), and a screen of 1280 px at 200 %. */
const CRAMPED = [
  { width: 320, height: 640 },
  { width: 640, height: 450 },
]
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

const colorSchemes = ["light", "dark"] as const
const views = Object.entries({ wide: WIDE, phone: PHONE }).flatMap(([name, size]) =>
  colorSchemes.map((colorScheme) => ({ name: `${name}, ${colorScheme}`, size, colorScheme })),
)
/** Each screen and each colour scheme once. */
export const sampleViews = views.filter((_, at) => at === 0 || at === views.length - 1)

/** Asserts that the current page has no accessibility violations. `state` names the page in the failure. */
export async function expectAccessible(page: Page, state: string, seen = views): Promise<void> {
  expect.soft(await accessibilityViolations(page, seen), state).toEqual([])
}

/**
 * Returns the accessibility violations of the current page, one per line: axe findings in both colour schemes on wide
 * and narrow screens, small targets, and content that needs horizontal scrolling.
 */
export async function accessibilityViolations(page: Page, seen = views): Promise<string[]> {
  const found: string[] = []
  for (const { name, size, colorScheme } of seen) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    found.push(...(await axeFindings(page)).map((it) => `${name}: ${it}`))
  }
  found.push(...(await page.evaluate(smallTargets)).map((it) => `too small to hit: ${it}`))
  for (const size of CRAMPED) {
    await page.setViewportSize(size)
    const sticking = await page.evaluate(sticksOut)
    found.push(...sticking.map((it) => `sideways at ${size.width} px: ${it}`))
  }
  await page.setViewportSize(WIDE)
  return found
}

async function axeFindings(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .options({ runOnly: { type: "tag", values: tags }, rules: { "target-size": { enabled: true } } })
    .setLegacyMode(true)
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary ?? ""}`),
  )
}

/**
 * Runs in the page: returns targets smaller than 44 by 44 px. A field includes its label, and links within a sentence
 * are as high as their line (WCAG 2.5.8 exempts them).
 */
function smallTargets(): string[] {
  const pressable = "a[href], button, input:not([type=hidden]), select, textarea, summary"
  return [...document.querySelectorAll<HTMLElement>(pressable)].flatMap((it) => {
    const hidden = !it.checkVisibility({ visibilityProperty: true }) || it.closest(".hidden, .skip") !== null
    const withinSentence = it.matches("a") && getComputedStyle(it).display === "inline"
    const { width, height } = (it.closest("label") ?? it).getBoundingClientRect()
    if (hidden || withinSentence || (width >= 44 && height >= 44)) return []
    return [`${it.outerHTML.slice(0, 100)} is ${Math.round(width)} by ${Math.round(height)} px`]
  })
}

/** Runs in the page: returns what reaches beyond the right edge if the page is wider than the viewport. */
function sticksOut(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.body.querySelectorAll("*")].filter(
    (it) => it.getBoundingClientRect().right > clientWidth + 1,
  )
  return [`the page is ${scrollWidth} px wide`, ...wide.slice(-3).map((it) => it.outerHTML.slice(0, 100))]
}
