import type { Version } from "~/billing/versions"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "./action-form.server"
import { consoleHref } from "./console-frame.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "./form-parts.server"
import { Fact } from "./list-parts.server"
import { Changes, howText, type Versioned } from "./version-list.server"

type Compared = {
  /** 0: the shop file. */
  readonly number: number
  readonly changes: readonly string[]
}

type VersionProps = {
  subject: Versioned
  version: Version
  /** How it differs from another one; null for the first one, unless another was asked for. */
  compared: Compared | null
  /** What would change if it were taken back. */
  undoing: readonly string[]
  mayTakeBack: boolean
  seen: string
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  refused: { readonly reason: string } | null
  timeZone: string
}

/** A version: how it differs from another one, and how to have it again. */
export function VersionScreen(props: VersionProps) {
  const { subject, version, compared, undoing, mayTakeBack, notice, timeZone, ...form } = props
  const { number } = version
  return (
    <>
      <div className="title">
        <h1>{t("versions.one", { number })}</h1>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <dl className="facts">
          <Fact name="versions.at">{localText(version.at, timeZone)}</Fact>
          <Fact name="versions.author">{version.author ?? "–"}</Fact>
          <Fact name="versions.how">{howText(subject, version)}</Fact>
          <Fact name="versions.reason">{version.reason ?? "–"}</Fact>
        </dl>
      </section>
      <Comparison subject={subject} compared={compared} />
      <section className="card">
        <h2>{t("versions.undoing")}</h2>
        {undoing.length === 0 ? <p>{t(`${subject}.isPresent`)}</p> : <Changes changes={undoing} />}
        {mayTakeBack && undoing.length > 0 && (
          <ActionForm
            action={`take-back-${subject}`}
            name={t("versions.takeBack", { number })}
            now={t(`${subject}.takeBackNow`)}
            after={t(`${subject}.takeBackAfter`, { number })}
            {...form}
          />
        )}
      </section>
      <p>
        <a href={consoleHref(`/admin/${subject}`)}>{t(`${subject}.toList`)}</a>
      </p>
    </>
  )
}

function Comparison({ subject, compared }: Pick<VersionProps, "subject" | "compared">) {
  return (
    <section className="card">
      <h2>{compared ? sinceText(compared) : t("versions.changes")}</h2>
      {compared ? <Changes changes={compared.changes} /> : <p>{t("versions.first")}</p>}
      <form method="get">
        <TextField
          id="with"
          name="with"
          label={t(`${subject}.compareWith`)}
          value={String(compared?.number ?? "")}
          inputMode="numeric"
          maxLength={9}
        />
        <button className="button" type="submit">
          {t("versions.compare")}
        </button>
      </form>
    </section>
  )
}

function sinceText({ number }: Compared): string {
  return number === 0 ? t("versions.sinceFile") : t("versions.since", { number })
}
