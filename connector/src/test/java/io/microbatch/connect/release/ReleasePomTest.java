package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** What Maven Central asks for in a pom. {@code build/release} checks the files and their signatures. */
class ReleasePomTest {

    private static final String REPOSITORY = "https://${project.repository}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/project/name",
                "/project/description",
                "/project/url",
                "/project/licenses/license/name",
                "/project/licenses/license/url",
                "/project/developers/developer/name",
                "/project/developers/developer/organization",
                "/project/scm/connection",
                "/project/scm/developerConnection",
                "/project/scm/url"
            })
    void hasWhatCentralAsksFor(String element) throws Exception {
        assertThat(text("..", element)).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../transforms", "../connector"})
    void namesEachModule(String module) throws Exception {
        assertThat(text(module, "/project/name")).isNotBlank();
        assertThat(text(module, "/project/description")).isNotBlank();
        assertThat(text(module, "/project/parent/version")).isEqualTo(text("..", "/project/version"));
    }

    /** Central refuses other repositories, and a reader of the pom should get its parts from Central alone. */
    @ParameterizedTest
    @ValueSource(strings = {"..", "../transforms", "../connector"})
    void takesEverythingFromCentral(String module) throws Exception {
        for (String element : List.of("repositories", "pluginRepositories", "distributionManagement")) {
            assertThat(text(module, "count(//" + element + ")")).as(element).isEqualTo("0");
        }
    }

    @Test
    void saysInOnePlaceWhereItIsPublished() throws Exception {
        assertThat(text("..", "/project/properties/project.repository")).startsWith("github.com/");
        for (String element : List.of("/project/url", "/project/scm/url")) {
            assertThat(text("..", element)).isEqualTo(REPOSITORY);
        }
        // A child's address is its parent's, without the name of the module behind it.
        assertThat(text("..", "/project/@child.project.url.inherit.append.path"))
                .isEqualTo("false");
    }

    @Test
    void takesAllTimesFromTheDayOfTheRelease() throws Exception {
        assertThat(text("..", "/project/properties/release.date")).matches("\\d{4}-\\d{2}-\\d{2}");
        assertThat(text("..", "/project/properties/project.build.outputTimestamp"))
                .isEqualTo("${release.date}T00:00:00Z");
    }

    @Test
    void signsInTheProfileOnly() throws Exception {
        String profile = "/project/profiles/profile[id='release']//plugin/artifactId";
        for (String plugin : List.of("maven-source-plugin", "maven-javadoc-plugin", "maven-gpg-plugin")) {
            assertThat(text("..", "count(" + profile + "[.='" + plugin + "'])"))
                    .as(plugin)
                    .isEqualTo("1");
            assertThat(text("..", "count(//artifactId[.='" + plugin + "'])"))
                    .as(plugin)
                    .isEqualTo("1");
        }
    }

    private static String text(String module, String path)
            throws IOException, ParserConfigurationException, SAXException, XPathExpressionException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        Document pom =
                factory.newDocumentBuilder().parse(Path.of(module, "pom.xml").toFile());
        return XPathFactory.newInstance().newXPath().evaluate(path, pom).strip();
    }
}
