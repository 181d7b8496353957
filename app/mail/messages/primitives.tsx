import { Fragment, type ReactNode } from "react"
import type { Link as LinkContent, MessageDocument, Receipt, ReceiptRow } from "./message-document"
import type { MessageStyles } from "./message-style"

/** Components of messages: tables for the layout, and a style attribute each, since many mail programs know no other. */
type Styled = { readonly styles: MessageStyles }
type Children = { readonly children: ReactNode }

/** Follows the preview in a mailbox's list, which would otherwise go on with the beginning of the message. */
const FILLER = "\u034f\u200c\u00a0".repeat(60)

type LayoutProps = Styled &
  Children & {
    readonly language: string
    readonly title: string
    readonly preview: string
    readonly styleSheet: string
  }

/** The document: one column of at most 600 pixels. */
export function Layout({ language, title, preview, styleSheet, styles, children }: LayoutProps) {
  return (
    <html lang={language} dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{styleSheet}</style>
      </head>
      <body className="ground ink" style={styles.body}>
        <div style={styles.preview}>{`${preview}${FILLER}`}</div>
        <main>
          <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} className="ground">
            <tbody>
              <tr>
                <td align="center" className="edge" style={styles.edge}>
                  <table
                    role="presentation"
                    width="600"
                    cellPadding={0}
                    cellSpacing={0}
                    style={styles.column}
                  >
                    <tbody>{children}</tbody>
                  </table>
                </td>
              </tr>
            </tbody>
          </table>
        </main>
      </body>
    </html>
  )
}

/** The shop's name beside its initial in the shop's colour; no image, which many mail programs do not load. */
export function Brand({ name, styles }: Styled & { readonly name: string }) {
  const [initial = ""] = name
  return (
    <tr>
      <td className="outside" style={styles.brandRow}>
        <table role="presentation" cellPadding={0} cellSpacing={0}>
          <tbody>
            <tr>
              <td width="34" valign="top" aria-hidden="true">
                <div className="mark" style={styles.mark}>
                  {initial.toUpperCase()}
                </div>
              </td>
              <td className="ink" style={styles.brand}>
                {name}
              </td>
            </tr>
          </tbody>
        </table>
      </td>
    </tr>
  )
}

export function Card({ styles, children }: Styled & Children) {
  return (
    <>
      <tr>
        <td className="card" style={styles.card}>
          {children}
        </td>
      </tr>
      <tr>
        <td height="16" style={styles.gap} />
      </tr>
    </>
  )
}

/** Text below the cards. */
export function Outside({ styles, children }: Styled & Children) {
  return (
    <tr>
      <td className="outside" style={styles.outside}>
        {children}
      </td>
    </tr>
  )
}

export function Heading({ styles, children }: Styled & Children) {
  return (
    <h1 className="heading ink" style={styles.heading}>
      {children}
    </h1>
  )
}

type ParagraphProps = Styled & { readonly text: string; readonly strong: string | null }

export function Paragraph({ styles, text, strong }: ParagraphProps) {
  const [before = "", ...after] = strong === null ? [text] : text.split(strong)
  return (
    <p className="ink" style={styles.paragraph}>
      {before}
      {after.length > 0 && <strong>{strong}</strong>}
      {after.join(strong ?? "")}
    </p>
  )
}

/** A smaller paragraph, about what is above it. */
export function Note({ styles, children }: Styled & Children) {
  return (
    <p className="second" style={styles.note}>
      {children}
    </p>
  )
}

/** The one thing to do. Its address is visible in the text of the message. */
export function Button({ styles, label, url }: Styled & LinkContent) {
  return (
    <p style={styles.buttonRow}>
      <a className="button" href={url} style={styles.button}>
        {label}
      </a>
    </p>
  )
}

/** A code to type, in one piece, so that it can be copied. */
export function Code({ styles, children }: Styled & Children) {
  return (
    <p className="ink" style={styles.code}>
      {children}
    </p>
  )
}

export function Commands({
  styles,
  label,
  commands,
}: Styled & { readonly label: string; readonly commands: readonly string[] }) {
  return (
    <>
      <h2 className="ink" style={styles.title}>
        {label}
      </h2>
      <pre className="ink" style={styles.commands}>
        {commands.join("\n")}
      </pre>
    </>
  )
}

/** What was ordered, as a table that a screen reader reads row by row. */
export function ReceiptTable({ styles, receipt }: Styled & { readonly receipt: Receipt }) {
  const { title, order, lines, sums, result, notes } = receipt
  return (
    <>
      <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} style={styles.table}>
        <tbody>
          <tr>
            <td style={styles.receiptTitle}>
              <h2 className="ink" style={styles.title}>
                {title}
              </h2>
            </td>
            <td className="second" style={styles.order}>
              {order}
            </td>
          </tr>
        </tbody>
      </table>
      <table aria-label={title} width="100%" cellPadding={0} cellSpacing={0} style={styles.table}>
        <tbody>
          {[...lines, ...sums].map((row) => (
            <Row key={row.label} row={row} label={styles.rowLabel} amount={styles.rowAmount} />
          ))}
          <Row row={result} label={styles.resultLabel} amount={styles.resultAmount} />
        </tbody>
      </table>
      <p className="second rule" style={styles.receiptNote}>
        {notes.join(" ")}
      </p>
    </>
  )
}

type RowProps = {
  readonly row: ReceiptRow
  readonly label: MessageStyles["rowLabel"]
  readonly amount: MessageStyles["rowAmount"]
}

function Row({ row, label, amount }: RowProps) {
  return (
    <tr>
      <th scope="row" className="ink" style={label}>
        {row.label}
      </th>
      <td className="ink" style={amount}>
        {row.amount}
      </td>
    </tr>
  )
}

/** The last paragraph and the way to support. */
export function Closing({ styles, text, support }: Styled & MessageDocument["closing"]) {
  return (
    <p className="ink" style={styles.paragraph}>
      {text}
      {text !== null && support !== null && " "}
      {support && (
        <a className="ink" href={support.url} style={styles.inkLink}>
          {support.label}
        </a>
      )}
    </p>
  )
}

/** Why the recipient has the message, who sends it, and the link that ends reminders. */
export function Footer({
  styles,
  reason,
  seller,
  shop,
  legal,
  unsubscribe,
}: Styled & MessageDocument["footer"]) {
  return (
    <>
      <p className="second" style={styles.footer}>
        {reason}
        {unsubscribe && " "}
        {unsubscribe && <FooterLink styles={styles} label={unsubscribe.label} url={unsubscribe.url} />}
      </p>
      {seller && (
        <p className="second" style={styles.footer}>
          {seller}
        </p>
      )}
      <p className="second" style={styles.footer}>
        {[shop].concat(legal).map(({ label, url }, index) => (
          <Fragment key={url}>
            {index > 0 && " · "}
            <FooterLink styles={styles} label={label} url={url} />
          </Fragment>
        ))}
      </p>
    </>
  )
}

function FooterLink({ styles, label, url }: Styled & LinkContent) {
  return (
    <a className="second" href={url} style={styles.link}>
      {label}
    </a>
  )
}
