import type { BrandVersion } from "~/billing/brand-versions"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "./action-form.server"
import { brandHowText } from "./brand-screen.server"
import { Changes } from "./catalogue-parts.server"
import { consoleHref } from "./console-frame.server"
import { type ActionNotice, Notice, type ProofProblem } from "./form-parts.server"
import { Fact } from "./list-parts.server"

type VersionProps = {
  version: BrandVersion
  /** Number of the version that it is compared with; 0: the shop file. */
  compared: number
  /** How it differs from that one. */
  changes: readonly string[]
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

/** A version of brand and texts: how it differs from another one, and how to have it again. */
export function BrandVersionScreen(props: VersionProps) {
  const { version, compared, changes, undoing, mayTakeBack, notice, timeZone, ...form } = props
  const { number } = version
  return (
    <>
      <div className="title">
        <h1>{t("brand.versionTitle", { number })}</h1>
      </div>
      {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
      <section className="card">
        <dl className="facts">
          <Fact name="catalogue.at">{localText(version.at, timeZone)}</Fact>
          <Fact name="catalogue.author">{version.author}</Fact>
          <Fact name="catalogue.how">{brandHowText(version)}</Fact>
          <Fact name="catalogue.reason">{version.reason ?? "–"}</Fact>
        </dl>
      </section>
      <section className="card">
        <h2>{compared === 0 ? t("brand.sinceFile") : t("brand.since", { number: compared })}</h2>
        <Changes changes={changes} />
        <form method="get">
          <TextField
            id="with"
            name="with"
            label={t("brand.compareWith")}
            value={String(compared)}
            inputMode="numeric"
            maxLength={9}
          />
          <button className="button" type="submit">
            {t("brand.compare")}
          </button>
        </form>
      </section>
      <section className="card">
        <h2>{t("catalogue.undoing")}</h2>
        {undoing.length === 0 ? <p>{t("brand.isPresent")}</p> : <Changes changes={undoing} />}
        {mayTakeBack && undoing.length > 0 && (
          <ActionForm
            action="take-back-brand"
            name={t("catalogue.takeBack", { number })}
            now={t("brand.takeBackNow")}
            after={t("brand.takeBackAfter", { number })}
            {...form}
          />
        )}
      </section>
      <p>
        <a href={consoleHref("/admin/brand")}>{t("brand.toList")}</a>
      </p>
    </>
  )
}
