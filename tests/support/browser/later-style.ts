import { expect, type Page } from "playwright/test"

/** The page has loaded the style that comes after its first paint. One that could not be loaded is for a moment among its sheets, too. */
export const hasLaterStyle = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const sheet = [...document.styleSheets].find(({ href }) => href?.includes("/assets/later-"))
    try {
      return (sheet?.cssRules.length ?? 0) > 0
    } catch {
      return false
    }
  })

/**
 * Selectors that something on the page matches, or would in another state, of rules that only the style after the first paint has;
 * without those of print, of forced colours, and of a pointer, which no first paint has.
 */
export async function laterRulesOn(page: Page): Promise<string[]> {
  await expect.poll(() => hasLaterStyle(page)).toBe(true)
  return page.evaluate(() => {
    const states =
      /::?(before|after|hover|focus|focus-visible|active|checked|-webkit-[a-z-]+)\b|\[(open|aria-[a-z]+)\b[^\]]*\]/g
    const notPainted = /^print$|forced-colors/
    const rulesIn = (sheet: CSSStyleSheet | undefined) =>
      [...(sheet?.cssRules ?? [])].flatMap((rule) => {
        if (!("conditionText" in rule)) return [{ rule, where: "" }]
        const { conditionText, cssRules } = rule as CSSConditionRule
        return notPainted.test(conditionText)
          ? []
          : [...cssRules].map((it) => ({ rule: it, where: conditionText }))
      })
    const textOf = ({ rule, where }: { rule: CSSRule; where: string }) => `${where} ${rule.cssText}`
    const sheets = [...document.styleSheets]
    const first = new Set(sheets.filter(({ href }) => href === null).flatMap((it) => rulesIn(it).map(textOf)))
    const later = rulesIn(sheets.find(({ href }) => href?.includes("/assets/later-")))
    const selectors = later
      .filter((it) => !first.has(textOf(it)))
      .flatMap(({ rule }) => (rule instanceof CSSStyleRule ? [rule.selectorText] : []))
    const inAnyState = (it: string) =>
      it
        .replace(states, "")
        .replaceAll(":has()", "")
        .replaceAll(":not()", "")
        .replace(/(^|[\s,>+~])(?=$|,)/g, "$1*")
    return selectors
      .filter((it) => !/:(hover|active)\b/.test(it))
      .filter((it) => document.querySelector(inAnyState(it)))
  })
}
