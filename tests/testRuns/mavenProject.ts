import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../harness/foreignTool.ts';
import { removeDirectory, temporaryProject } from '../harness/harness.ts';

const run = promisify(execFile);

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>demo</groupId>
  <artifactId>demo</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.10.2</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
      <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
      <plugin>
        <groupId>org.jacoco</groupId>
        <artifactId>jacoco-maven-plugin</artifactId>
        <version>0.8.13</version>
        <executions>
          <execution><goals><goal>prepare-agent</goal></goals></execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
`;

/** What Maven downloads is kept here; projects of tests use it without the network. */
const repository = join(cacheDir(), 'maven-repository-1');

export const mavenProject: Readonly<Record<string, string>> = {
  'pom.xml': pom,
  '.mvn/maven.config': `-o\n-Dmaven.repo.local=${repository}\n`,
  'src/main/java/demo/Calc.java': `package demo;

public class Calc {
  public static int divide(int a, int b) {
    if (b == 0) {
      throw new IllegalArgumentException("by zero");
    }
    return a / b;
  }

  public static int unused() {
    return 1;
  }
}
`,
  'src/test/java/demo/CalcTest.java': `package demo;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalcTest {
  @Test
  @DisplayName("divides")
  void divides() {
    assertEquals(3, Calc.divide(4, 2));
  }

  @Test
  @Disabled("not yet")
  void later() {}

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void many(int number) {
    assertTrue(number > 0);
  }

  @Nested
  class Inner {
    @Test
    void refuses() {
      Calc.divide(1, 0);
    }
  }
}
`,
};

/** Lets Maven fetch once what the project needs: a run with coverage of all tests, and one of a single test. */
export async function mavenRepository(): Promise<void> {
  if (existsSync(join(repository, 'ready'))) return;
  const fresh = `${repository}.${process.pid}`;
  await mkdir(fresh, { recursive: true });
  const project = await temporaryProject({ ...mavenProject, '.mvn/maven.config': `-Dmaven.repo.local=${fresh}\n` });
  try {
    const args = [
      '--batch-mode',
      '--no-transfer-progress',
      '-Dmaven.test.failure.ignore=true',
      'test',
      'jacoco:report',
    ];
    await run('mvn', args, { cwd: project, maxBuffer: 16 * 1024 * 1024 });
  } finally {
    await removeDirectory(project);
  }
  await writeFile(join(fresh, 'ready'), '');
  await rename(fresh, repository).catch(() => rm(fresh, { recursive: true, force: true }));
}
