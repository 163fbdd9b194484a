import type { Dependency, Ecosystem } from '../dependencies/model.ts';

export interface Framework {
  name: string;
  /** What is used, or asked for where nothing says what is used. */
  version?: string;
}

/** Packages that decide how the code of a project is written, as their users call them. */
const known: Readonly<Partial<Record<Ecosystem, Readonly<Record<string, string>>>>> = {
  npm: {
    ...{ react: 'React', 'react-native': 'React Native', next: 'Next.js', vue: 'Vue', nuxt: 'Nuxt', svelte: 'Svelte' },
    ...{
      '@sveltejs/kit': 'SvelteKit',
      '@angular/core': 'Angular',
      'solid-js': 'Solid',
      astro: 'Astro',
      preact: 'Preact',
    },
    ...{ '@remix-run/react': 'Remix', express: 'Express', fastify: 'Fastify', koa: 'Koa', hono: 'Hono' },
    ...{ '@nestjs/core': 'NestJS', electron: 'Electron', vite: 'Vite', webpack: 'webpack', esbuild: 'esbuild' },
    ...{ typescript: 'TypeScript', '@prisma/client': 'Prisma', 'drizzle-orm': 'Drizzle', typeorm: 'TypeORM' },
    ...{ tailwindcss: 'Tailwind CSS', graphql: 'GraphQL', '@trpc/server': 'tRPC' },
  },
  python: {
    ...{ django: 'Django', flask: 'Flask', fastapi: 'FastAPI', starlette: 'Starlette', aiohttp: 'aiohttp' },
    ...{ tornado: 'Tornado', pyramid: 'Pyramid', celery: 'Celery', sqlalchemy: 'SQLAlchemy', pydantic: 'Pydantic' },
    ...{ pandas: 'pandas', numpy: 'NumPy', torch: 'PyTorch', tensorflow: 'TensorFlow', 'scikit-learn': 'scikit-learn' },
    ...{ streamlit: 'Streamlit', scrapy: 'Scrapy', click: 'Click', typer: 'Typer' },
  },
  go: {
    'github.com/gin-gonic/gin': 'Gin',
    'github.com/labstack/echo/v4': 'Echo',
    'github.com/gofiber/fiber/v2': 'Fiber',
    'github.com/go-chi/chi/v5': 'chi',
    'github.com/spf13/cobra': 'Cobra',
    'gorm.io/gorm': 'GORM',
    'google.golang.org/grpc': 'gRPC',
  },
  cargo: {
    ...{ tokio: 'Tokio', axum: 'axum', 'actix-web': 'Actix Web', rocket: 'Rocket', warp: 'warp', bevy: 'Bevy' },
    ...{ serde: 'Serde', clap: 'clap', diesel: 'Diesel', sqlx: 'SQLx', tauri: 'Tauri' },
  },
};

const ofJava: readonly (readonly [RegExp, string])[] = [
  [/^org\.springframework\.boot:/, 'Spring Boot'],
  [/^org\.springframework:/, 'Spring'],
  [/^io\.quarkus:/, 'Quarkus'],
  [/^io\.micronaut:/, 'Micronaut'],
  [/^io\.ktor:/, 'Ktor'],
  [/^org\.hibernate/, 'Hibernate'],
];

/** Those that the manifests declare, once each. */
export function frameworksIn(dependencies: readonly Dependency[]): Framework[] {
  const found = new Map<string, Framework>();
  for (const { ecosystem, name, resolved, declared, direct } of dependencies) {
    const title = known[ecosystem]?.[name.toLowerCase()] ?? titleOfJava(ecosystem, name);
    if (title === undefined || !direct) continue;
    const version = resolved ?? declared ?? found.get(title)?.version;
    found.set(title, { name: title, ...(version === undefined || version === '*' ? {} : { version }) });
  }
  return [...found.values()];
}

function titleOfJava(ecosystem: Ecosystem, name: string): string | undefined {
  if (ecosystem !== 'maven' && ecosystem !== 'gradle') return undefined;
  return ofJava.find(([pattern]) => pattern.test(name))?.[1];
}
