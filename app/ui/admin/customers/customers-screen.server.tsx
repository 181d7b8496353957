import type { CustomerListItem } from "~/billing/customers/customer-admin"
import { localText } from "~/domain/local-time"
import { type LocaleCode, localeOfCode } from "~/domain/locales"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import { countryText } from "../country-text.server"
import { ExportCard, type ExportProps } from "../export-form.server"
import { Notice } from "../form-parts.server"
import { type ListLinks, ListPages, ListTable } from "../list-parts.server"
import { customerHref } from "../record-links.server"

type CustomersProps = {
  /** What was searched for; empty for all. */
  sought: string
  /** Nobody is found by the beginning of an email. */
  wholeEmails: boolean
  customers: readonly CustomerListItem[]
  links: ListLinks
  /** Why the list may not be whole. */
  cut: "cut" | "many" | null
  timeZone: string
  /** Null for roles that may not export, and for a search, whose few are on the page. */
  exportForm: ExportProps | null
}

/** Customers by search, or all of them, newest first. */
export function CustomersScreen({
  sought,
  wholeEmails,
  customers,
  links,
  cut,
  timeZone,
  exportForm,
}: CustomersProps) {
  return (
    <>
      <div className="title">
        <h1>{t("customers.title")}</h1>
        <p>{t("customers.lead")}</p>
      </div>
      <section className="card">
        <Search sought={sought} wholeEmails={wholeEmails} />
      </section>
      {cut && <Notice kind="warning">{t(cut === "cut" ? "list.cut" : "customers.many")}</Notice>}
      <section className="card">
        {customers.length === 0 ? (
          <p>{t("customers.empty")}</p>
        ) : (
          <CustomerTable customers={customers} timeZone={timeZone} />
        )}
        <ListPages links={links} />
      </section>
      {exportForm && (
        <ExportCard
          path="/admin/customers/export"
          conditions={{}}
          lead={t("customers.exportLead")}
          {...exportForm}
        />
      )}
    </>
  )
}

function Search({ sought, wholeEmails }: Pick<CustomersProps, "sought" | "wholeEmails">) {
  return (
    <search>
      <form method="get" action={consoleHref("/admin/customers")} className="search">
        <p className="field grow">
          <label htmlFor="q">{t("customers.search")}</label>
          <small id="q-hint">{t(wholeEmails ? "customers.searchHintWhole" : "customers.searchHint")}</small>
          <input
            id="q"
            name="q"
            type="search"
            defaultValue={sought}
            aria-describedby="q-hint"
            spellCheck={false}
            autoCapitalize="none"
            maxLength={200}
          />
        </p>
        <button className="button main" type="submit">
          {t("customers.find")}
        </button>
        {sought !== "" && <a href={consoleHref("/admin/customers")}>{t("customers.all")}</a>}
      </form>
    </search>
  )
}

function CustomerTable({ customers, timeZone }: Pick<CustomersProps, "customers" | "timeZone">) {
  return (
    <ListTable
      label={t("customers.title")}
      heads={[
        { text: "customers.customer" },
        { text: "customers.proven" },
        { text: "customers.created" },
        { text: "customers.country" },
        { text: "customers.language" },
      ]}
    >
      {customers.map(({ id, email, hasEmail, isProven, createdAt, country, locale }) => (
        <tr key={id}>
          <td>
            <a href={customerHref(id)}>{email}</a>
          </td>
          <td>
            <ProvenPill hasEmail={hasEmail} isProven={isProven} />
          </td>
          <td>{localText(createdAt, timeZone)}</td>
          <td>{country === null ? "–" : countryText(country)}</td>
          <td>{languageText(locale)}</td>
        </tr>
      ))}
    </ListTable>
  )
}

/** A language as the shop's language menu names it. */
export function languageText(code: LocaleCode): string {
  return localeOfCode(code)?.name ?? code
}

type Proof = Pick<CustomerListItem, "hasEmail" | "isProven">

export function ProvenPill(customer: Proof) {
  return <span className={customer.isProven ? "pill good" : "pill plain"}>{proofText(customer)}</span>
}

/** Whether a customer has the e-mail, and has proven it. */
export function proofText({ hasEmail, isProven }: Proof): string {
  if (!hasEmail) return t("customers.isOfAnother")
  return t(isProven ? "customers.isProven" : "customers.isUnproven")
}
