import type { Services } from "~/context/services.server"

/** While ordering is paused the price list is asked for again, so that it goes on by itself. */
export async function resumeOrdering({ catalogue }: Pick<Services, "catalogue">): Promise<void> {
  if (catalogue.paused()) await catalogue.plans()
}
