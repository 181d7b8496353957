import { renderToStaticMarkup } from "react-dom/server"
import type { BrandColours } from "~/domain/shop/brand-colours"
import type { TaxDocument } from "~/domain/tax-document"
import { fontFaces } from "~/ui/style/fonts.server"
import { documentStyleFor } from "~/ui/style/style.server"
import { type DocumentRow, type DocumentView, documentView, type LabelledText } from "./document-view"
import { documentTexts } from "./texts"

/** How the page of a document looks, and where it leads. */
export type DocumentLook = {
  readonly shopName: string
  readonly colours: BrandColours
  /** Address of the shop's logo; null without one. */
  readonly logo: string | null
  /** Whether the logo shows the shop's name, which then is not written beside it. */
  readonly logoHasName: boolean
  /** Of the content security policy, for the page's style. */
  readonly nonce: string
  /** Where the page leads back to. */
  readonly back: string
  /** Names of the files beside the page, with the forms that they have. */
  readonly files: readonly { readonly form: "pdf" | "xml"; readonly name: string }[]
}

/** Columns of the table after the first, which names the row. */
const figures = ["quantity", "rate", "net", "tax", "gross"] as const satisfies readonly (keyof DocumentRow)[]

/**
 * A document as a page of its own, without script, in the document's language: to read on a phone, and to print. `timeZone`: the
 * shop's. Returns a whole HTML document.
 */
export function documentPage(document: TaxDocument, timeZone: string, look: DocumentLook): string {
  const view = documentView(document, timeZone)
  const { style } = documentStyleFor(look.colours)
  const html = renderToStaticMarkup(
    <html lang={view.lang}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${view.title} · ${look.shopName}`}</title>
        <meta name="robots" content="noindex" />
        <style
          nonce={look.nonce}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the page's own style sheet
          dangerouslySetInnerHTML={{ __html: `${fontFaces}${style}` }}
        />
      </head>
      <body>
        <div className="sheet">
          <Tools document={document} look={look} />
          <Sheet view={view} look={look} />
        </div>
      </body>
    </html>,
  )
  return `<!doctype html>${html}`
}

/** What is not of the document, and is not printed. */
function Tools({ document, look }: { readonly document: TaxDocument; readonly look: DocumentLook }) {
  const t = documentTexts(document.locale)
  return (
    <nav className="sheet-tools" aria-label={t("tools")}>
      <a href={look.back}>{t("back")}</a>
      {look.files.map(({ form, name }) => (
        <a key={form} href={name}>
          {t(`save.${form}`)}
        </a>
      ))}
    </nav>
  )
}

function Sheet({ view, look }: { readonly view: DocumentView; readonly look: DocumentLook }) {
  return (
    <main className="sheet-page">
      <header>
        <h1>{view.title}</h1>
        <p className="sheet-brand">
          {look.logo && <img src={look.logo} alt={look.logoHasName ? look.shopName : ""} />}
          {!(look.logo && look.logoHasName) && look.shopName}
        </p>
      </header>
      {view.notes.map((note) => (
        <p key={note} className="sheet-note">
          {note}
        </p>
      ))}
      <dl className="sheet-facts">
        {view.facts.map(({ label, text }) => (
          <Fact key={label} label={label} text={text} />
        ))}
      </dl>
      <div className="sheet-parties">
        {[view.seller, view.buyer].map(({ role, lines }) => (
          <section key={role}>
            <h2>{role}</h2>
            {lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </section>
        ))}
      </div>
      <Items view={view} />
      <Sums sums={view.totals} className="sheet-sums sheet-total" />
      {view.payments.length > 0 && (
        <section className="sheet-paid">
          <h2>{view.paymentsTitle}</h2>
          <Sums sums={view.payments} className="sheet-sums" />
        </section>
      )}
    </main>
  )
}

function Fact({ label, text }: LabelledText) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </>
  )
}

/** `data-label`: on a phone a row is a block, whose figures have their names beside them. */
function Items({ view: { caption, columns, rows } }: { readonly view: DocumentView }) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.text}</th>
          {figures.map((column) => (
            <th key={column} scope="col">
              {columns[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={Object.values(row).join(" ")}>
            <th scope="row">{row.text}</th>
            {figures.map((column) => (
              <td key={column} data-label={columns[column]}>
                {row[column]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type SumsProps = { readonly sums: readonly LabelledText[]; readonly className: string }

function Sums({ sums, className }: SumsProps) {
  return (
    <dl className={className}>
      {sums.map(({ label, text }) => (
        <div key={`${label} ${text}`}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
