package ayatori;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the walls that ARCHITECTURE.md draws inside the module ayatori.threads. */
class ArchitectureTest {
    private static final Path CLASSES = Path.of("target", "classes");
    private static final JavaClasses THREADS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPath(CLASSES);

    @Test
    void theClassesAreFound() {
        assertFalse(THREADS.isEmpty(), () -> "no classes in " + CLASSES.toAbsolutePath());
    }

    @Test
    void foreignFunctionsAreCalledInInternalLinuxOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("ayatori.internal.linux")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Linker.class, SymbolLookup.class, FunctionDescriptor.class)
                .because("a wrong signature crashes the JVM: every native call is reviewed in one place")
                .check(THREADS);
    }

    @Test
    void packagesDependDownwardsOnly() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .withOptionalLayers(true)
                .layer("server")
                .definedBy("ayatori.server..")
                .layer("pool")
                .definedBy("ayatori.pool..")
                .layer("linux")
                .definedBy("ayatori.internal.linux..")
                .layer("shm")
                .definedBy("ayatori.internal.shm..")
                .layer("sched")
                .definedBy("ayatori.sched..")
                .layer("inheritance")
                .definedBy("ayatori.internal.inheritance..")
                .whereLayer("server")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("pool")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("inheritance")
                .mayOnlyBeAccessedByLayers("server", "pool")
                .whereLayer("shm")
                .mayOnlyBeAccessedByLayers("server")
                .whereLayer("sched")
                .mayOnlyBeAccessedByLayers("server", "pool", "inheritance")
                .whereLayer("linux")
                .mayOnlyBeAccessedByLayers("server", "inheritance", "sched", "shm")
                .check(THREADS);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("ayatori.(**)").should().beFreeOfCycles().check(THREADS);
    }

    @Test
    void internalPackagesAreExportedToNamedModulesOnly() {
        Set<ModuleDescriptor.Exports> exports = descriptor().exports();
        assertFalse(exports.isEmpty());
        assertAll(exports.stream()
                .filter(export -> export.source().startsWith("ayatori.internal"))
                .map(export -> () -> assertTrue(export.isQualified(), export::toString)));
    }

    @Test
    void nothingIsRequiredAtRunTimeButTheJdk() {
        assertEquals(
                Set.of(),
                descriptor().requires().stream()
                        .filter(required -> !required.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                        .map(ModuleDescriptor.Requires::name)
                        .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk."))
                        .collect(Collectors.toSet()));
    }

    private static ModuleDescriptor descriptor() {
        return ModuleFinder.of(CLASSES).find("ayatori.threads").orElseThrow().descriptor();
    }
}
