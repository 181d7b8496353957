import type { ReactNode } from "react"
import type { Diagnostic } from "~/billing/diagnostic"
import { printable } from "~/domain/printable"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"

/** Addresses of the pages of older, newer and the newest rows; null without them. */
export type ListLinks = {
  readonly older: string | null
  readonly newer: string | null
  readonly newest: string | null
}

type ListPagesProps = {
  links: ListLinks
  /** What the links are called; a list that begins with the oldest rows has other names. */
  names?: Readonly<Record<keyof ListLinks, ConsoleText>>
}

const newestFirst = { older: "list.older", newer: "list.newer", newest: "list.newest" } as const

/** Links to the pages of a list. */
export function ListPages({ links: { older, newer, newest }, names = newestFirst }: ListPagesProps) {
  if (!older && !newer && !newest) return null
  return (
    <div className="buttons">
      {newest && <a href={newest}>{t(names.newest)}</a>}
      {newer && (
        <a className="button" href={newer} rel="prev">
          {t(names.newer)}
        </a>
      )}
      {older && (
        <a className="button" href={older} rel="next">
          {t(names.older)}
        </a>
      )}
    </div>
  )
}

type ColumnHead = { readonly text: ConsoleText; readonly isNumber?: boolean }

type ListTableProps = {
  label: string
  heads: readonly ColumnHead[]
  children: ReactNode
}

/** A table that scrolls sideways where it is too wide. On a phone each row becomes a small block. */
export function ListTable({ label, heads, children }: ListTableProps) {
  return (
    // A region that scrolls has to be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table className="orders">
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

/** Findings, in the words of `doctor`. */
export function Findings({ findings }: { findings: readonly Diagnostic[] }) {
  return (
    <ul className="rows">
      {findings.map(({ check, ok, message }) => (
        <li key={`${check} ${message}`}>
          <div className="grow">
            <strong>{check}</strong>
            <p>{printable(message)}</p>
          </div>
          {ok !== null && (
            <span className={ok ? "pill good" : "pill bad"}>{t(ok ? "list.passed" : "list.failed")}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
