import type { TestProject } from "vitest/node"
import { type Cluster, startPostgres } from "./postgres"

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL, in which suites create their own databases. */
    postgres: string
  }
}

let cluster: Cluster

export async function setup(project: TestProject): Promise<void> {
  cluster = await startPostgres()
  project.provide("postgres", cluster.url)
}

export async function teardown(): Promise<void> {
  await cluster.stop()
}
