import type { CSSProperties } from "react"
import { type BrandColours, shadesOf } from "~/domain/shop/brand-colours"

const FONT = "Lato, -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const MONOSPACED = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace"

const light = { ground: "#f4f6fb", card: "#ffffff", ink: "#151b2e", second: "#566078", line: "#e1e6f0" }
const dark = { ground: "#0e1324", card: "#161d33", ink: "#eef1fa", second: "#a3adc6", line: "#2a3350" }

/** Style attributes of a message, in the light scheme: many mail programs read no style sheet. */
export type MessageStyles = Readonly<Record<Part, CSSProperties>>

type Part =
  | "body"
  | "preview"
  | "edge"
  | "column"
  | "brandRow"
  | "mark"
  | "brand"
  | "card"
  | "gap"
  | "heading"
  | "paragraph"
  | "note"
  | "buttonRow"
  | "button"
  | "code"
  | "commands"
  | "title"
  | "table"
  | "rowLabel"
  | "rowAmount"
  | "resultLabel"
  | "resultAmount"
  | "receiptTitle"
  | "order"
  | "receiptNote"
  | "outside"
  | "inkLink"
  | "footer"
  | "link"

/** A long word, such as a code or the name of a plan, is broken instead of widening the column. */
const breakable = { wordBreak: "break-word" } as const

export function messageStyles(colours: BrandColours): MessageStyles {
  const { brand, onBrand } = shadesOf(colours).light
  const text = {
    ...breakable,
    margin: "0 0 16px",
    fontSize: 16,
    lineHeight: "26px",
    color: light.ink,
    textWrap: "pretty",
  } as const
  const small = {
    ...breakable,
    fontSize: 14,
    lineHeight: "21px",
    color: light.second,
    textWrap: "pretty",
  } as const
  const cell = {
    padding: "12px 0",
    borderTop: `1px solid ${light.line}`,
    fontSize: 16,
    lineHeight: "24px",
    color: light.ink,
  }
  const label = { ...cell, ...breakable, paddingRight: 16, fontWeight: 400, textAlign: "left" } as const
  const amount = {
    ...cell,
    textAlign: "right",
    whiteSpace: "nowrap",
    fontVariantNumeric: "tabular-nums",
  } as const
  return {
    body: { margin: 0, padding: 0, backgroundColor: light.ground, fontFamily: FONT, color: light.ink },
    preview: { display: "none", maxHeight: 0, overflow: "hidden" },
    edge: { padding: "24px 20px" },
    column: { width: "100%", maxWidth: 600, margin: "0 auto", borderCollapse: "separate" },
    brandRow: { padding: "4px 29px 20px" },
    mark: {
      width: 34,
      height: 34,
      borderRadius: 10,
      backgroundColor: brand,
      color: onBrand,
      fontSize: 18,
      fontWeight: 900,
      lineHeight: "34px",
      textAlign: "center",
    },
    brand: {
      ...breakable,
      paddingLeft: 12,
      fontSize: 22,
      fontWeight: 900,
      lineHeight: "28px",
      color: light.ink,
    },
    card: {
      padding: "28px 28px 24px",
      backgroundColor: light.card,
      border: `1px solid ${light.line}`,
      borderRadius: 14,
    },
    gap: { height: 16, fontSize: 0, lineHeight: 0 },
    heading: {
      ...breakable,
      margin: "0 0 12px",
      fontSize: 28,
      fontWeight: 900,
      lineHeight: "34px",
      letterSpacing: "-0.01em",
      textWrap: "balance",
      color: light.ink,
    },
    paragraph: text,
    note: { ...small, margin: "0 0 12px" },
    buttonRow: { margin: "4px 0 20px" },
    button: {
      display: "inline-block",
      padding: "16px 28px",
      borderRadius: 10,
      backgroundColor: brand,
      color: onBrand,
      fontSize: 16,
      fontWeight: 700,
      lineHeight: "24px",
      textDecoration: "none",
    },
    code: {
      ...text,
      fontFamily: MONOSPACED,
      fontSize: 32,
      fontWeight: 700,
      lineHeight: "40px",
      letterSpacing: "0.2em",
    },
    commands: {
      ...text,
      margin: "8px 0",
      fontFamily: MONOSPACED,
      fontSize: 14,
      lineHeight: "22px",
      whiteSpace: "pre-wrap",
    },
    title: { margin: 0, fontSize: 18, fontWeight: 700, lineHeight: "24px", color: light.ink },
    rowLabel: label,
    rowAmount: amount,
    resultLabel: { ...label, fontWeight: 700 },
    resultAmount: { ...amount, fontSize: 20, fontWeight: 900 },
    table: { width: "100%", borderCollapse: "collapse" },
    receiptTitle: { padding: "0 16px 12px 0", textAlign: "left" },
    order: { ...small, padding: "3px 0 12px", textAlign: "right" },
    receiptNote: { ...small, margin: 0, padding: "12px 0 0", borderTop: `1px solid ${light.line}` },
    outside: { padding: "8px 29px 0" },
    inkLink: { color: light.ink, textDecoration: "underline" },
    footer: { ...small, margin: "0 0 4px" },
    link: { color: light.second, textDecoration: "underline" },
  }
}

/** Style sheet of what no attribute can say: the dark scheme and narrow screens. `!important` outweighs attributes. */
export function styleSheet(colours: BrandColours): string {
  const { brand, onBrand } = shadesOf(colours).dark
  return `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .edge { padding-left: 12px !important; padding-right: 12px !important; }
  .card { padding: 20px 16px 16px !important; }
  .outside { padding-left: 16px !important; padding-right: 16px !important; }
  .heading { font-size: 24px !important; line-height: 30px !important; }
  .button { display: block !important; text-align: center !important; padding-left: 12px !important; padding-right: 12px !important; }
}
@media (prefers-color-scheme: dark) {
  .ground { background-color: ${dark.ground} !important; }
  .card { background-color: ${dark.card} !important; border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; border-color: ${dark.line} !important; }
  .second { color: ${dark.second} !important; }
  .rule { border-color: ${dark.line} !important; }
  .button, .mark { background-color: ${brand} !important; color: ${onBrand} !important; }
}`
}
