import type { TaxVersion } from "~/billing/tax-admin"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "./action-form.server"
import { Changes } from "./catalogue-parts.server"
import { consoleHref } from "./console-frame.server"
import { type ActionNotice, Notice, type ProofProblem } from "./form-parts.server"
import { Fact } from "./list-parts.server"
import { taxHowText } from "./tax-screen.server"

type VersionProps = {
  version: TaxVersion
  /** What it has changed; null for the first one. */
  changes: readonly string[] | null
  /** What would change if it were taken back. */
  undoing: readonly string[]
  mayTakeBack: boolean
  seen: string
  formKey: string
  proof: { readonly isProven: boolean; readonly problem: ProofProblem | null }
  notice: ActionNotice | null
  refused: { readonly reason: string } | null
  timeZone: string
}

/** A version of the rules of tax: what it has changed, and how to have its rules again. */
export function TaxVersionScreen(props: VersionProps) {
  const { version, changes, undoing, mayTakeBack, notice, timeZone, ...form } = props
  const { number } = version
  return (
    <>
      <div className="title">
        <h1>{t("catalogue.versionTitle", { number })}</h1>
      </div>
      {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
      <section className="card">
        <dl className="facts">
          <Fact name="catalogue.at">{localText(version.at, timeZone)}</Fact>
          <Fact name="catalogue.author">{version.author ?? "–"}</Fact>
          <Fact name="catalogue.how">{taxHowText(version)}</Fact>
          <Fact name="catalogue.reason">{version.reason ?? "–"}</Fact>
        </dl>
      </section>
      <section className="card">
        <h2>{t("catalogue.changes")}</h2>
        {changes ? <Changes changes={changes} /> : <p>{t("catalogue.firstVersion")}</p>}
      </section>
      <section className="card">
        <h2>{t("catalogue.undoing")}</h2>
        {undoing.length === 0 ? <p>{t("tax.isPresent")}</p> : <Changes changes={undoing} />}
        {mayTakeBack && undoing.length > 0 && (
          <ActionForm
            action="take-back-tax"
            name={t("catalogue.takeBack", { number })}
            now={t("tax.takeBackNow")}
            after={t("tax.takeBackAfter", { number })}
            {...form}
          />
        )}
      </section>
      <p>
        <a href={consoleHref("/admin/tax")}>{t("tax.toTax")}</a>
      </p>
    </>
  )
}
