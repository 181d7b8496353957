import type { Services } from "~/context/services.server"

/** Reloads the catalogue while ordering is paused, so that ordering resumes without a visitor. */
export async function resumeOrdering({ catalogue }: Pick<Services, "catalogue">): Promise<void> {
  if (catalogue.paused()) await catalogue.plans()
}
