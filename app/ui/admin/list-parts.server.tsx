import type { ReactNode } from "react"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"

/** Addresses of the pages of older, newer and the newest rows; null without them. */
export type ListLinks = {
  readonly older: string | null
  readonly newer: string | null
  readonly newest: string | null
}

/** Links to the pages of a list. */
export function ListPages({ links: { older, newer, newest } }: { links: ListLinks }) {
  if (!older && !newer && !newest) return null
  return (
    <div className="buttons">
      {newest && <a href={newest}>{t("list.newest")}</a>}
      {newer && (
        <a className="button" href={newer} rel="prev">
          {t("list.newer")}
        </a>
      )}
      {older && (
        <a className="button" href={older} rel="next">
          {t("list.older")}
        </a>
      )}
    </div>
  )
}

type ColumnHead = { readonly text: ConsoleText; readonly isNumber?: boolean }

type ListTableProps = {
  label: string
  heads: readonly ColumnHead[]
  /** On a phone each row becomes a small block. */
  isCompact?: boolean
  children: ReactNode
}

/** A table that scrolls sideways where it is too wide. */
export function ListTable({ label, heads, isCompact = false, children }: ListTableProps) {
  return (
    // A region that scrolls has to be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table className={isCompact ? "orders" : undefined}>
        <thead>
          <tr>
            {heads.map(({ text, isNumber }) => (
              <th key={text} scope="col" className={isNumber ? "number" : undefined}>
                {t(text)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

/** One fact with its name. */
export function Fact({ name, children }: { name: ConsoleText; children: ReactNode }) {
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
    </div>
  )
}
