import type { Version } from "~/billing/versions"
import { type BrandPart, brandParts, sectionsOfPart } from "~/domain/shop/brand-fields"
import type { BrandContent } from "~/domain/shop/shop-sections"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"
import { type ListLinks, ListTable } from "../list-parts.server"
import { Changes, VersionList } from "../version-list.server"
import { brandPartTitle } from "./brand-part-screen.server"

type BrandProps = {
  /** Number of the version that holds; 0: nothing is set. */
  version: number
  content: BrandContent
  /** What would change if nothing were set any more. */
  resetting: readonly string[]
  versions: readonly Version[]
  links: ListLinks
  mayReset: boolean
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  refused: { readonly reason: string } | null
  timeZone: string
}

/** Where brand and texts come from, the forms that change them, and the versions. */
export function BrandScreen(props: BrandProps) {
  const { version, content, resetting, versions, links, mayReset, notice, timeZone, ...form } = props
  return (
    <>
      <div className="title">
        <h1>{t("brand.title")}</h1>
        <p>{t("brand.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <h2>{t("brand.parts")}</h2>
        <ListTable label={t("brand.parts")} heads={[{ text: "brand.part" }, { text: "brand.source" }]}>
          {brandParts.map((part) => (
            <tr key={part}>
              <td className="breaks">
                <a href={consoleHref(`/admin/brand/${part}`)}>{brandPartTitle(part)}</a>
              </td>
              <td>{brandSourceText(isSet(part, content) ? version : null)}</td>
            </tr>
          ))}
        </ListTable>
      </section>
      <VersionList subject="brand" versions={versions} links={links} timeZone={timeZone} />
      {version > 0 && (
        <section className="card">
          <h2>{t("brand.resetting")}</h2>
          {resetting.length === 0 ? <p>{t("brand.isReset")}</p> : <Changes changes={resetting} />}
          {mayReset && resetting.length > 0 && (
            <ActionForm
              action="reset-brand"
              name={t("brand.reset")}
              now={t("brand.resetNow", { number: version })}
              after={t("brand.resetAfter")}
              seen={String(version)}
              {...form}
            />
          )}
        </section>
      )}
    </>
  )
}

function isSet(part: BrandPart, content: BrandContent): boolean {
  return sectionsOfPart(part).some((it) => content[it] !== undefined)
}

/** Where values are from: a version of the console, or the shop file. */
export function brandSourceText(version: number | null): string {
  return version === null ? t("brand.sources.file") : t("brand.sources.console", { number: version })
}
