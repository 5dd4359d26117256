package jpi;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import jpi.internal.shm.Assembly;
import jpi.internal.shm.SharedLocks;
import jpi.internal.shm.WindowMemory;
import org.junit.jupiter.api.Test;

/** Holds the walls that ARCHITECTURE.md draws inside the module jpi. */
class ArchitectureTest {
    private static final Path CLASSES = Path.of("target", "classes");
    private static final JavaClasses JPI = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPath(CLASSES);

    @Test
    void theClassesAreFound() {
        assertFalse(JPI.isEmpty(), () -> "no classes in " + CLASSES.toAbsolutePath());
    }

    @Test
    void packagesDependDownwardsOnly() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("launch")
                .definedBy("jpi.internal.launch..")
                .layer("api")
                .definedBy("jpi")
                .layer("engine")
                .definedBy("jpi.internal.engine..")
                .layer("objects")
                .definedBy("jpi.internal.objects..")
                .layer("shm")
                .definedBy("jpi.internal.shm..")
                .whereLayer("launch")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("launch", "api")
                .whereLayer("objects")
                .mayOnlyBeAccessedByLayers("launch", "engine")
                .whereLayer("shm")
                .mayOnlyBeAccessedByLayers("engine", "api")
                .check(JPI);
    }

    /** They say themselves what may not travel; else they could be used without JPI. */
    @Test
    void objectsKnowOfTheApiItsExceptionOnly() {
        noClasses()
                .that()
                .resideInAPackage("jpi.internal.objects..")
                .should()
                .dependOnClassesThat(resideInAPackage("jpi").and(not(type(JException.class))))
                .check(JPI);
    }

    @Test
    void sharedMemoryKnowsNothingOfWhatIsInIt() {
        noClasses()
                .that()
                .resideInAPackage("jpi.internal.shm..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jpi.internal.engine..", "jpi.internal.objects..", "jpi.internal.launch..")
                .check(JPI);
    }

    /** What a way to another machine takes the place of. */
    @Test
    void onePlaceKnowsHowBytesGetToAnotherJvm() {
        noClasses()
                .that()
                .doNotHaveSimpleName("Peer")
                .and()
                .resideOutsideOfPackage("jpi.internal.shm..")
                .should()
                .dependOnClassesThat()
                .haveSimpleName("Ring")
                .check(JPI);
    }

    /** What the ranks of a machine share besides, and what their world may refuse to those of several: see {@code Rank.assembly}. */
    @Test
    void whatElseAMachineSharesIsNamed() {
        noClasses()
                .that()
                .resideInAPackage("jpi")
                .should()
                .dependOnClassesThat(resideInAPackage("jpi.internal.shm")
                        .and(not(belongToAnyOf(Assembly.class, WindowMemory.class, SharedLocks.class))))
                .check(JPI);
    }

    @Test
    void eachLibraryIsKnownToOnePackage() {
        noClasses()
                .that()
                .resideOutsideOfPackage("jpi.internal.objects..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.fory..")
                .because("what turns objects into bytes can be exchanged, and is watched in one place")
                .check(JPI);
        noClasses()
                .that()
                .resideOutsideOfPackage("jpi.internal.launch..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .because("ranks have no command line")
                .check(JPI);
    }

    @Test
    void programsSeeThePackageJpiOnly() {
        assertEquals(
                Set.of("jpi"),
                descriptor().exports().stream()
                        .filter(export -> !export.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet()));
    }

    @Test
    void nothingIsRequiredAtRunTimeButThreadsAndTwoLibraries() {
        assertEquals(
                Set.of("ayatori.threads", "info.picocli", "org.apache.fory.core"),
                descriptor().requires().stream()
                        .filter(required -> !required.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                        .map(ModuleDescriptor.Requires::name)
                        .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk."))
                        .collect(Collectors.toSet()));
    }

    private static ModuleDescriptor descriptor() {
        return ModuleFinder.of(CLASSES).find("jpi").orElseThrow().descriptor();
    }
}
