import { renderToStaticMarkup } from "react-dom/server"
import type { ShownDocument } from "~/domain/accounting/tax-document"
import { BASE } from "~/domain/base-path"
import type { Brand, Logo } from "~/domain/shop/brand"
import { StandaloneHead } from "~/ui/layout/standalone-head.server"
import { documentStyleFor } from "~/ui/style/style.server"
import {
  type DocumentRow,
  type DocumentView,
  documentView,
  type LabelledText,
  type ShowingShop,
} from "./document-view"
import { documentTexts } from "./texts"

/** A shop with the looks of its documents: those of today, whenever a document was issued. Its facts are those of its day. */
export type BrandedShop = ShowingShop & {
  readonly brand: Pick<Brand, "name" | "colours">
  readonly logo: (Logo & { readonly bytes: Buffer }) | null
}

/** What a page of a document needs of its request. */
export type DocumentPage = {
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
 * A document as a page of its own, without script, in the document's language: to read on a phone, and to print.
 * Returns a whole HTML document.
 */
export function documentPage(document: ShownDocument, shop: BrandedShop, page: DocumentPage): string {
  const view = documentView(document, shop)
  const { style } = documentStyleFor(shop.brand.colours)
  const html = renderToStaticMarkup(
    <html lang={view.lang}>
      <StandaloneHead title={`${view.title} · ${shop.brand.name}`} nonce={page.nonce} style={style} />
      <body>
        <div className="sheet">
          <Tools document={document} page={page} />
          <Sheet view={view} shop={shop} />
        </div>
      </body>
    </html>,
  )
  return `<!doctype html>${html}`
}

/** What is not of the document, and is not printed. */
function Tools({ document, page }: { readonly document: ShownDocument; readonly page: DocumentPage }) {
  const t = documentTexts(document.locale)
  return (
    <nav className="sheet-tools" aria-label={t("tools")}>
      <a href={page.back}>{t("back")}</a>
      {page.files.map(({ form, name }) => (
        <a key={form} href={name}>
          {t(`save.${form}`)}
        </a>
      ))}
    </nav>
  )
}

function Sheet({ view, shop }: { readonly view: DocumentView; readonly shop: BrandedShop }) {
  const { brand, logo } = shop
  // A logo that shows the shop's name has it as its text.
  const nameIsSeen = logo === null || logo.withName
  return (
    <main className="sheet-page">
      <header>
        <h1>{view.title}</h1>
        <p className="sheet-brand">
          {logo && (
            <img
              className={logo.isForDark ? undefined : "plate"}
              src={`${BASE}${logo.path}`}
              alt={nameIsSeen ? "" : brand.name}
            />
          )}
          {nameIsSeen && brand.name}
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
      {view.remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
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
